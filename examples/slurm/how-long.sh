#!/bin/bash
# How long will it take, and how much memory? One run is timed, on one core, in minutes:  sbatch how-long.sh
#SBATCH --job-name=carom-dry-run
#SBATCH --ntasks=1
#SBATCH --time=00:10:00
set -eu

carom-mpi sweep oscillators/impact --over w=2:4:1000 --over e=0.3:0.95:1000 --dry-run
