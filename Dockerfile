# syntax=docker/dockerfile:1
# An image of the server: docker build --tag llm-api-mock .
#
#   docker run --rm --read-only -p 127.0.0.1:4010:4010 -e API_MOCK_TOKEN=my-token llm-api-mock --scenario flaky
#   docker run --rm --read-only -p 127.0.0.1:4010:4010 -v "$PWD/scenarios:/scenarios:ro" llm-api-mock --scenario mine.yaml
#
# The default base makes the whole image about 60 MB compressed; docs/ci.md has the figures.
# Beside Node it holds the packed package, without its parts for browsers, Express, and the client of Redis. `--handlers` needs msw and, for msw 2, @mswjs/http-middleware: add them in an image of your own.
# The image is built on BASE and runs on RUNTIME, which needs Node and nothing else, not even a shell:
#   docker build --build-arg RUNTIME=gcr.io/distroless/nodejs22-debian12 --tag llm-api-mock .
ARG BASE=node:22-alpine
ARG RUNTIME=${BASE}

FROM ${BASE} AS build
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund
RUN npm run build \
  && mkdir -p /image/app /image/usr/local/bin \
  && npm pack --ignore-scripts --silent --pack-destination /tmp \
  && tar -xzf /tmp/llm-api-mock-*.tgz --strip-components=1 -C /image/app \
  && cd /image/app && rm -rf docs dist/cjs dist/browser*.js dist/core/lib/tokenizer/tables/*.js && find dist -name '*.d.ts' -exec rm {} +
# Without what is bundled; with the client for limits.shared.
RUN npm pkg delete dependencies.seedrandom "devDependencies.@redis/client" "peerDependencies.@redis/client" \
  && npm pkg set "dependencies.@redis/client=*" \
  && npm prune --omit=dev --omit=peer --ignore-scripts --no-audit --no-fund \
  && cp -R node_modules /image/app/node_modules \
  && rm -rf /image/app/node_modules/.bin /image/app/node_modules/.cache /image/app/node_modules/.package-lock.json \
  && find /image/app/node_modules \( -name '*.ts' -o -name '*.map' -o -name '*.md' -o -name '*.spec.js' \) -type f -exec rm {} + \
  && find /image/app/node_modules -type d \( -name test -o -name tests -o -name __tests__ \) -prune -exec rm -r {} + \
  && ln -s /app/dist/cli/main.js /image/usr/local/bin/api-mock

FROM ${RUNTIME}
ARG VERSION=0.0.0
ARG REVISION=unknown
# The address of the repository that you build from.
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="llm-api-mock" \
  org.opencontainers.image.description="A deterministic mock server of an OpenAI-style API" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.source="${SOURCE}" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
COPY --from=build /image/ /
# Paths of scenario files are relative to this folder, which is empty until you mount yours.
WORKDIR /scenarios
# Where the distroless images have Node.
ENV PATH=${PATH}:/nodejs/bin
ENV NODE_ENV=production API_MOCK_HOST=0.0.0.0 API_MOCK_PORT=4010
# A number, so that Kubernetes can check runAsNonRoot. No user of this name has to exist.
USER 1000:1000
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 CMD ["node", "/app/dist/cli/main.js", "health"]
ENTRYPOINT ["node", "/app/dist/cli/main.js"]
