// Traces through OpenTelemetry. Loaded only if OpenTelemetry's variables enable it. Its libraries read these variables.
import {
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { codeOf } from '../base/guards.ts';
import type { Telemetry } from './telemetry.ts';

export interface Tracing extends Telemetry {
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}

/** OpenTelemetry's libraries read the process' environment, so the variables from `.env` are added to it. */
export function startTracing(variables: Readonly<Record<string, string>>, version: string): Tracing {
  Object.assign(process.env, variables);
  const own = resourceFromAttributes({ 'service.name': 'frontdesk', 'service.version': version });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  const tracer = provider.getTracer('frontdesk', version);

  return {
    request(request) {
      const parent = propagation.extract(context.active(), request.headers, headerGetter);
      const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER }, parent);
      return {
        run: (work) => context.with(trace.setSpan(parent, span), work),
        end(route, status) {
          // The span is named by route, not by address, which may contain codes and names.
          span.updateName(`${request.method} ${route}`);
          span.setAttributes({
            'http.request.method': request.method,
            'http.route': route,
            'http.response.status_code': status,
          });
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    async providerCall(operation, call) {
      const span = tracer.startSpan(`provider ${operation}`, { kind: SpanKind.CLIENT });
      try {
        return await context.with(trace.setSpan(context.active(), span), call);
      } catch (error) {
        fail(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
    statement(text, milliseconds, hasFailed) {
      const active: Context = context.active();
      // Statements outside a request, such as the poll every second, are not traced.
      if (trace.getSpan(active) === undefined) return;
      const startTime = new Date(Date.now() - milliseconds);
      const attributes = { 'db.query.text': text };
      const span = tracer.startSpan('database', { kind: SpanKind.CLIENT, startTime, attributes }, active);
      if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
    connectionTaken() {},
    signIn() {},
    renewal() {},
    callerToken() {},
    listTakenUp() {},
    stop: () => provider.shutdown(),
  };
}

/** Only a code is recorded, because libraries' messages quote tokens. */
function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: String(codeOf(error) ?? 'error') });
}

const headerGetter: TextMapGetter<Headers> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: (headers) => [...headers.keys()],
};
