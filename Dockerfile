# reviewbot for other CI systems: docker run --rm -v "$PWD:/work:ro" IMAGE check --diff - < pr.diff
FROM python:3.12-slim AS build
WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY requirements requirements
COPY docs/checks docs/checks
COPY rules rules
COPY reviewbot reviewbot
RUN bash requirements/install.sh python3 /build /opt/reviewbot

FROM python:3.12-slim
COPY --from=build /opt/reviewbot /opt/reviewbot
RUN useradd --create-home --uid 10001 reviewbot
USER 10001
WORKDIR /work
ENTRYPOINT ["/opt/reviewbot/bin/python", "-I", "-m", "reviewbot"]
CMD ["--help"]
