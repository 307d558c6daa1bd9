// NestJS as in its documentation, without decorator syntax, which Node does not support.
import 'reflect-metadata';
import { Controller, Get, Inject, Module, Param, Req, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AuthGuard, PassportModule, PassportStrategy } from '@nestjs/passport';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { DataSource, EntitySchema } from 'typeorm';
import { asNumbers, DATABASE_URL, PORT, personQuery, publicKey, verification } from './shared.mjs';

const Item = new EntitySchema({
  name: 'Item',
  tableName: 'lookup_item',
  columns: {
    id: { type: 'bigint', primary: true },
    list: { type: 'text' },
    label: { type: 'text' },
    value: { type: 'text' },
    status: { type: 'text' },
    sortOrder: { type: 'bigint', name: 'sort_order' },
  },
});

class JwtStrategy extends PassportStrategy(Strategy) {
  constructor() {
    super({ jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(), secretOrKey: publicKey, ...verification });
  }

  validate(claims) {
    return claims;
  }
}

class DeskController {
  constructor(items, source) {
    this.items = items;
    this.source = source;
  }

  async list(list) {
    return asNumbers(
      await this.items.find({ where: { list, status: 'active' }, order: { sortOrder: 'ASC', label: 'ASC' } }),
    );
  }

  async me(request) {
    return (await this.source.query(personQuery, [request.user.sid]))[0];
  }
}
const decorate = (decorators, target, key) =>
  Reflect.decorate(decorators, target, key, Object.getOwnPropertyDescriptor(target, key));
const descriptors = (key, decorators) =>
  Object.defineProperty(DeskController.prototype, key, decorate(decorators, DeskController.prototype, key));
descriptors('list', [Get('employee/:list')]);
Param('list')(DeskController.prototype, 'list', 0);
descriptors('me', [Get('auth/me')]);
Req()(DeskController.prototype, 'me', 0);
InjectRepository(Item)(DeskController, undefined, 0);
Inject(DataSource)(DeskController, undefined, 1);
Reflect.decorate([Controller(), UseGuards(AuthGuard('jwt'))], DeskController);

class AppModule {}
Reflect.decorate(
  [
    Module({
      imports: [
        PassportModule,
        TypeOrmModule.forRoot({ type: 'postgres', url: DATABASE_URL, entities: [Item] }),
        TypeOrmModule.forFeature([Item]),
      ],
      providers: [JwtStrategy],
      controllers: [DeskController],
    }),
  ],
  AppModule,
);

const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(Number(PORT), '127.0.0.1');
