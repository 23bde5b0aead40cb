# The image of the action, and of `docker run`. In the subset of Dockerfile that every builder knows.
# A release hands in the base by digest; main builds from the tag.
ARG PYTHON_IMAGE=python:3.13-slim

FROM ${PYTHON_IMAGE} AS build
# Dependencies first: this layer is built anew only when the lock changes.
COPY requirements/run.txt /src/requirements/run.txt
RUN python -m venv --without-pip /opt/gate \
 && pip --python /opt/gate/bin/python install --no-cache-dir --no-compile --no-deps \
        --require-hashes --only-binary :all: -r /src/requirements/run.txt

COPY pyproject.toml README.md LICENSE /src/
COPY gate /src/gate
# The wheel is built by the locked flit_core, offline, and leaves nothing of it behind. Then goes
# what no run reads: tests, headers, stubs, and the locales of a library that is asked for none.
RUN /opt/gate/bin/python -m flit_core.wheel --outdir /tmp/wheel /src \
 && pip --python /opt/gate/bin/python install --no-cache-dir --no-compile --no-deps --no-index \
        /tmp/wheel/*.whl \
 && pip --python /opt/gate/bin/python uninstall --yes --quiet flit_core \
 && find /opt/gate/bin -type f -delete \
 && find /opt/gate/lib -type d \( -name tests -o -name test -o -name include -o -name __pycache__ \) \
        -prune -exec rm -r {} + \
 && find /opt/gate/lib -type f \( -name '*.pyi' -o -name '*.h' -o -name '*.pxd' -o -name '*.pyx' \
        -o -name '*.a' -o -name '*.c' \) -delete \
 && find /opt/gate/lib -path '*/babel/locale-data/*.dat' ! -name root.dat ! -name 'en*.dat' -delete \
 && /opt/gate/bin/python -I -m compileall -q -j 0 --invalidation-mode unchecked-hash /opt/gate/lib

FROM ${PYTHON_IMAGE}
LABEL org.opencontainers.image.title="Kappagate" \
      org.opencontainers.image.description="Fails a pull request when search or an agent got worse, and only when a judge that agrees with people says so." \
      org.opencontainers.image.licenses="Apache-2.0"
# The official base has no bytecode of the standard library, so each start would compile its part
# anew: 1.6 s instead of 0.1 for asyncio, ssl and sqlite3. Where the base has it, nothing is done.
RUN ["python", "-I", "-c", "import compileall, py_compile, re, sysconfig; compileall.compile_dir(sysconfig.get_path('stdlib'), quiet=2, rx=re.compile('/(test|tests|idlelib|ensurepip|tkinter|turtledemo|site-packages|dist-packages)/'), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)"]
COPY --from=build /opt/gate /opt/gate
# Root, since the runner's files are another user's; foreign code runs as nobody's user, see
# gate/wire/process.py. Isolated: nothing of the folder that it works on is imported.
ENTRYPOINT ["/opt/gate/bin/python", "-I", "-X", "utf8", "-m", "gate.cli.container"]
