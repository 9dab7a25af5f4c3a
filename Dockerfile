# syntax=docker/dockerfile:1
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY libs libs
COPY apps apps
COPY bench/package.json bench/
RUN npm ci --ignore-scripts --include=dev
COPY tsconfig.base.json ./
RUN node node_modules/@typescript/native/bin/tsc -b apps/api apps/projector \
  && node node_modules/vite/bin/vite.js build apps/web \
  && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim AS runtime
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build --chown=node:node /app ./
USER node

FROM runtime AS projector
CMD ["node", "--enable-source-maps", "apps/projector/dist/main.js"]

FROM runtime AS api
EXPOSE 4000
HEALTHCHECK --interval=5s --timeout=2s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4000/health/ready').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "--max-semi-space-size=64", "apps/api/dist/main.js"]
