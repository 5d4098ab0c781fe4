# The worker. `docker build -t holdfast .`; what it needs beside it is in docker-compose.yml. Debian, since the native parts of
# Temporal's SDK and of the speech models are built against glibc.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY workflows ./workflows
COPY activities ./activities
COPY workers ./workers
COPY cli ./cli
COPY setup ./setup
COPY local-models ./local-models
RUN npm run build

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev

FROM ${NODE_IMAGE}
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates ffmpeg tini \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY bin/holdfast.js ./bin/holdfast.js
COPY profiles ./profiles
COPY assets/report ./assets/report
# Named volumes take their owner from the directories that they are first mounted over.
RUN ln -s /app/bin/holdfast.js /usr/local/bin/holdfast \
  && mkdir -p /data/corpus /data/.holdfast \
  && chown -R node:node /data
ENV NODE_ENV=production FFMPEG_PATH=/usr/bin/ffmpeg
USER node
# Relative paths of a batch start here.
WORKDIR /data
# tini passes signals on to Node as they come, and reaps what an ffmpeg leaves behind.
ENTRYPOINT ["tini", "--", "holdfast"]
CMD ["worker"]
