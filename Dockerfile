FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build

FROM debian:13-slim
# Nothing else is needed: the executable holds page, migrations and default lists. /data is for SQLite alone.
RUN groupadd --gid 10001 frontdesk \
  && useradd --uid 10001 --gid frontdesk --home-dir /data --shell /usr/sbin/nologin frontdesk \
  && install --directory --owner=frontdesk --group=frontdesk --mode=700 /data
COPY --from=build /build/dist/frontdesk /usr/local/bin/frontdesk
USER 10001:10001
WORKDIR /data
VOLUME /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=sqlite:/data/frontdesk.db
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=4s --start-period=10s CMD ["frontdesk", "health"]
ENTRYPOINT ["frontdesk"]
CMD ["serve"]
