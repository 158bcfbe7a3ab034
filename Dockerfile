# An image with occupancy-lsp, for CI systems that run jobs in containers:
#
#     docker build --tag occupancy-lsp .
#     docker run --rm --volume "$PWD:/src:ro" occupancy-lsp check .

FROM python:3.13-slim AS build
COPY . /source
RUN python -m venv /opt/occupancy-lsp \
    && /opt/occupancy-lsp/bin/pip install --no-cache-dir --disable-pip-version-check /source

FROM python:3.13-slim
# Git is for `check --diff`. A repository that is mounted here belongs to another user; the home is for any.
ENV HOME=/home/checker PATH=/opt/occupancy-lsp/bin:$PATH
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && mkdir --mode=1777 "$HOME" \
    && git config --global safe.directory '*' \
    && chmod a+r "$HOME/.gitconfig"
COPY --from=build /opt/occupancy-lsp /opt/occupancy-lsp
WORKDIR /src
USER 65534:65534
ENTRYPOINT ["occupancy-lsp"]
CMD ["check", "."]
