# An image with occupancy-lsp, for CI systems that run jobs in containers:
#
#     docker build --tag occupancy-lsp .
#     docker run --rm --volume "$PWD:/src:ro" occupancy-lsp check .

FROM python:3.13-slim AS build
COPY . /source
RUN python -m venv /opt/occupancy-lsp \
    && /opt/occupancy-lsp/bin/pip install --no-cache-dir --disable-pip-version-check /source

FROM python:3.13-slim
# For `check --diff`; whoever mounts a repository here owns it, whatever user that is.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && git config --system --add safe.directory '*'
COPY --from=build /opt/occupancy-lsp /opt/occupancy-lsp
ENV PATH=/opt/occupancy-lsp/bin:$PATH
WORKDIR /src
USER 65534:65534
ENTRYPOINT ["occupancy-lsp"]
CMD ["check", "."]
