# Front door of the build: sets up what is missing, then CMake and Ninja do the work.
#
#   make build     the program build/carom and the library
#   make demo      one published experiment, with its picture, and a report page, in demo/
#   make check     all tests, in a normal build and in one with sanitizers
#   make check-long  200 kills (KILLS=...) at random moments of runs, sweep and continue, each resumed and compared;
#                  derivatives of all experiments beside differences
#   make check-units  all experiments and commands in other units of length, time and mass (UNITS="--only bodies" some of them)
#   make check-memory  every call for memory of forty commands fails once: status 1 with words, or the same output
#   make check-threads  sweeps, islands and other work of several threads under the thread sanitizer
#   make mpi       the program build/carom-mpi: surveys on several machines, with MPI
#   make check-mpi its tests, with mpirun on this machine (MPI_KILLS=8 kills at random moments)
#   make fuzz      damaged files for every reader, with libFuzzer (FUZZ_SECONDS=60 each)
#   make bench     the benchmarks
#   make bench-contact   solvers of frictional contact problems (FCLIB files) beside Siconos
#   make bench-examples  whole runs of twelve systems beside the same ones in Siconos' C++
#   make bench-bodies    bodies with shapes beside Box2D, Bullet, ODE and Siconos (BENCH_SECONDS=10 each)
#   make bench-certificate   runs with their certificate and without
#   make bench-accuracy      bounds of carom run --accuracy beside true errors
#   make bench-recording     runs that write files beside the same ones without
#   make bench-limits        parts of carom beside what the machine can do
#   make bench-lanes         sweeps and basins whose motions are stepped side by side, and alone
#   make bench-python   the Python package beside Siconos' Python: contact problems, a bouncing ball in steps
#   make bench-mpi       a sweep on two ranks beside two sweeps at the same time
#   make bench-scale     large contact problems on one core and on ranks: the tables of docs/scale.md
#   make bench-impact    a thousand beads by law lzb, smaller chains beside Siconos
#   make docs      the documents as a site, with the reference of the C library: build/site
#   make python    the Python package build/python/carom (PYTHONPATH=build/python) and its wheel in build/wheel
#   make install   to PREFIX (default /usr/local), under DESTDIR when given; make install-python adds the package, make install-mpi carom-mpi
#   make format    lays out the C files      make lint   checks layout, code and include rules
#   make analyze   the static analyser of clang over src/ and python/native/
#   make clean     removes what was built
#
# CC=clang chooses the compiler. SETUP=true skips the installation of missing Debian packages.

.DEFAULT_GOAL := build
.PHONY: build demo check check-long check-units check-memory check-threads mpi check-mpi bench-mpi bench-scale install-mpi fuzz bench bench-contact bench-examples bench-impact bench-bodies bench-certificate bench-accuracy bench-recording bench-limits bench-lanes bench-chain bench-python docs python install install-python format lint analyze clean setup

PREFIX ?= /usr/local
SETUP ?= scripts/install-packages

setup:
	@$(SETUP) --from scripts/packages.txt

build: setup
	@scripts/configure build "$(CC)"
	@cmake --build build

demo: build
	@scripts/demo

check: setup
	@$(SETUP) --from scripts/packages-check.txt scripts/packages-python.txt
	@scripts/configure build "$(CC)" CAROM_WERROR=ON
	@scripts/configure build-asan "$(CC)" CAROM_WERROR=ON CAROM_SANITIZE=ON
	@scripts/check build build-asan

KILLS ?= 200
check-long: build
	@rm -rf build/kills && mkdir -p build/kills
	@cd build/kills && ../../test/app/kills ../carom $(KILLS)
	@nice ninja -C build make_sensitivities
	@rm -rf build/sensitivities && mkdir -p build/sensitivities
	@cd build/sensitivities && ../../test/experiments/across/sensitivities ../test ../../experiments

check-units: build
	@test/units/check build/carom --known test/units/known $(UNITS)

# Every call for memory of some forty commands fails once: some 70,000 runs.
check-memory: build
	@nice ninja -C build refuse_memory
	@rm -rf build/memory && mkdir -p build/memory
	@cd build/memory && ../../test/app/memory/check ../carom ../test/librefuse_memory.so

check-threads: setup
	@$(SETUP) --from scripts/packages-fuzz.txt
	@scripts/configure build-tsan clang CAROM_WERROR=ON CAROM_SANITIZE_THREAD=ON
	@scripts/check-threads build-tsan

# Installs what only this needs.
mpi: setup
	@$(SETUP) --from scripts/packages-mpi.txt
	@scripts/configure build "$(CC)" CAROM_MPI=ON
	@cmake --build build --target carom carom-mpi

MPI_KILLS ?= 8
check-mpi: setup
	@$(SETUP) --from scripts/packages-mpi.txt
	@scripts/configure build "$(CC)" CAROM_WERROR=ON CAROM_MPI=ON
	@cmake --build build --target carom carom-mpi mpi_tests
	@MPI_KILLS=$(MPI_KILLS) test/mpi/run build

bench-mpi: mpi
	@bench/mpi/run build

bench-scale: mpi
	@cmake --build build --target bench_large
	@bench/large/scale build

FUZZ_SECONDS ?= 60
fuzz: setup
	@$(SETUP) --from scripts/packages-fuzz.txt
	@for name in $(patsubst test/fuzz/fuzz_%.c,%,$(wildcard test/fuzz/fuzz_*.c)); do \
	    echo "$$name"; test/fuzz/run $$name $(FUZZ_SECONDS) || exit 1; done

bench: build
	@cmake --build build --target bench_programs
	@bench/run

bench-contact: build
	@bench/run-contact

bench-examples: build
	@bench/run-examples

bench-impact: build
	@bench/run-impact

bench-bodies: build
	@bench/run-bodies

bench-limits: build
	@cmake --build build --target bench_limits
	@build/bench/limits

bench-lanes: build
	@bench/run-lanes

bench-recording: build
	@bench/run-recording

bench-certificate: build
	@cmake --build build --target bench_certificate
	@build/bench/certificate

bench-accuracy: build
	@bench/run-accuracy

bench-python: python
	@bench/run-python

bench-chain: build
	@bench/run-chain build/carom

docs:
	@$(SETUP) --from scripts/packages-docs.txt
	@scripts/docs/build

python: build
	@$(SETUP) --from scripts/packages-python.txt
	@scripts/make-python build

install: build
	@cmake --install build --prefix "$(PREFIX)"
	@echo "make install-python adds the Python package"

install-mpi: mpi
	@cmake --build build --target carom_mpi
	@cmake --install build/mpi --prefix "$(PREFIX)" --component mpi

install-python: python
	@cmake --install build --prefix "$(PREFIX)" --component python

format:
	@$(SETUP) --from scripts/packages-lint.txt
	@scripts/c-files | xargs clang-format -i

lint: build
	@$(SETUP) --from scripts/packages-lint.txt
	@scripts/lint build

analyze: build
	@$(SETUP) 'clang|clang-14'
	@scripts/analyze build

clean:
	rm -rf build build-asan build-fuzz build-tsan demo
