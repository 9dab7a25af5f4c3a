# syntax=docker/dockerfile:1
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY libs libs
COPY apps apps
COPY tools tools
COPY bench/package.json bench/
COPY torture/package.json torture/
RUN npm ci --ignore-scripts --include=dev
COPY tsconfig.base.json ./
RUN node node_modules/@typescript/native/bin/tsc -b apps/api apps/capture apps/projector \
  && node node_modules/vite/bin/vite.js build apps/web \
  && npm prune --omit=dev --ignore-scripts \
  && chmod -R u=rwX,go=rX .

FROM node:24.21.0-bookworm-slim AS runtime
ENV NODE_ENV=production
WORKDIR /app
# Owned by root: the process cannot change the code that it runs.
COPY --from=build /app ./
USER node

FROM runtime AS projector
CMD ["node", "--enable-source-maps", "apps/projector/dist/main.js"]

FROM runtime AS capture
USER root
RUN apt-get update \
  && apt-get install --yes --no-install-recommends chromium fonts-dejavu-core \
  && rm -rf /var/lib/apt/lists/*
USER node
CMD ["node", "--enable-source-maps", "apps/capture/dist/main.js"]

FROM runtime AS api
USER root
# Where pictures of charts are kept; a volume takes its owner from here.
RUN mkdir /pictures && chown node:node /pictures
USER node
EXPOSE 4000
CMD ["node", "--enable-source-maps", "--max-semi-space-size=64", "apps/api/dist/main.js"]
