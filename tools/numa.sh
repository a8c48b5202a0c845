#!/usr/bin/env bash
# Places of threads and memory on a machine with several NUMA nodes: the program in a virtual machine with four nodes
# of four processors, under a real kernel. Emulated, so nothing about speed.
#
# Needs, on Debian or Ubuntu, qemu-system-x86, busybox-static, cpio, and a kernel under /boot (linux-image-amd64), or
# another one named by KERNEL. Takes about three minutes on two processors.
set -euo pipefail
[ -z "${KERNEL:-}" ] || KERNEL=$(realpath -m "$KERNEL")
cd "$(dirname "$0")/.."

for tool in qemu-system-x86_64 busybox cpio; do
    command -v "$tool" >/dev/null || { echo "$tool is missing" >&2; exit 1; }
done
# Folders of /boot that only root can read are no fault.
kernel=${KERNEL:-$({ find /boot -name 'vmlinuz-*' 2>/dev/null || true; } | sort -V | tail -n 1)}
[ -r "$kernel" ] || { echo "no kernel that can be read: install linux-image-amd64, or set KERNEL" >&2; exit 1; }

# What the emulator has is less than most processors have.
RUSTFLAGS="-C target-cpu=x86-64-v2" CARGO_TARGET_DIR=target/numa cargo build --release --locked --quiet

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir -p "$root"/{bin,proc,sys,dev}
cp "$(command -v busybox)" "$root/bin/busybox"
cp target/numa/release/caesura "$root/bin/caesura"
strip "$root/bin/caesura"
ldd target/numa/release/caesura | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
done

cat >"$root/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev

huge=/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages
doctor() { echo "doctor $*"; caesura doctor "$@"; }

# The firmware leaves its line unfinished.
echo
echo "begin unbound"
doctor --threads 3 --hash 256
echo "begin unbound-many"
doctor --numa-policy none --hash 256
echo "begin bound"
doctor --hash 256
echo never >/sys/kernel/mm/transparent_hugepage/enabled
echo "begin small"
doctor --hash 256
echo always >/sys/kernel/mm/transparent_hugepage/enabled
echo "begin nodes"
doctor --numa-policy 4-7:12-15 --threads 8 --hash 256
echo 512 >$huge
echo "begin huge"
doctor --hash 512
echo "begin huge-nodes"
doctor --numa-policy 4-7:12-15 --threads 8 --hash 256
echo "begin huge-node"
doctor --numa-policy 8-11 --threads 4 --hash 128
echo "begin mask"
taskset 0xf0 caesura doctor --hash 128
echo 0 >$huge
echo "begin giant-few"
doctor --hash 2048
echo 1040 >$huge
echo "begin huge-before-giant"
doctor --hash 2048
echo 0 >$huge

# Threads and what they own, while they search.
echo "begin search"
mkfifo /in
caesura </in >/out &
exec 3>/in
printf 'setoption name Threads value 16\nsetoption name Hash value 256\nisready\n' >&3
until grep -q readyok /out; do sleep 1; done
echo "go infinite" >&3
sleep 15
process=$(pidof caesura)
for thread in /proc/"$process"/task/*; do
    echo "thread $(cat "$thread/comm"): $(grep Cpus_allowed_list "$thread/status" | cut -f2)"
done
# Pages of the process by node, those of the table and of files not counted.
awk '!/file=|huge| interleave:/ { for (i = 3; i <= NF; i++) if ($i ~ /^N[0-9]+=/) { split($i, part, "="); sum[part[1]] += part[2] } }
    END { for (node in sum) print "pages " node " " sum[node] }' /proc/"$process"/numa_maps
printf 'stop\n' >&3
until grep -q bestmove /out; do sleep 1; done
echo quit >&3
wait
grep bestmove /out
echo "begin end"
poweroff -f
INIT
chmod +x "$root/init"
(cd "$root" && find . | cpio -o -H newc --quiet | gzip -1) >"$work/initrd"

memory=()
for node in 0 1 2 3; do
    memory+=(-object "memory-backend-ram,size=3G,id=m$node")
    memory+=(-numa "node,nodeid=$node,cpus=$((4 * node))-$((4 * node + 3)),memdev=m$node")
done
timeout 900 qemu-system-x86_64 -machine q35 -accel tcg,thread=multi -cpu max -smp 16,sockets=4,cores=4 -m 12G \
    "${memory[@]}" -nographic -nic none -no-reboot -kernel "$kernel" -initrd "$work/initrd" \
    -append "console=ttyS0 quiet panic=-1 mitigations=off transparent_hugepage=always \
        hugepagesz=1G hugepages=0:1,1:1,2:1,3:1" </dev/null | tr -d '\r' >"$work/log" || true

part() { sed -n "/^begin $1\$/,/^begin /p" "$work/log"; }
failed=0
check() { # PART PATTERN: a line of the part must match
    if part "$1" | grep -Eq "$2"; then
        echo "ok      $1: $2"
    else
        echo "FAILED  $1: $2" >&2
        part "$1" >&2
        failed=1
    fi
}
all="threads 0-3 pinned one each to 0-3; threads 4-7 pinned one each to 4-7; threads 8-11 pinned one each to 8-11; threads 12-15 pinned one each to 12-15"
check unbound "placement +1 network: threads 0-2 unbound"
check unbound-many "by NUMA node +64 MB on 0, 64 MB on 1, 64 MB on 2, 64 MB on 3"
check bound "placement +4 networks: $all"
check bound "256 MB on transparent pages of 2 MB"
check small "256 MB on small pages"
# From a sample.
check small "by NUMA node +6[0-9] MB on 0, 6[0-9] MB on 1, 6[0-9] MB on 2, 6[0-9] MB on 3"
check bound "by NUMA node +64 MB on 0, 64 MB on 1, 64 MB on 2, 64 MB on 3"
check nodes "placement +2 networks: threads 0-3 pinned one each to 4-7; threads 4-7 pinned one each to 12-15"
check nodes "by NUMA node +128 MB on 1, 128 MB on 3"
check huge "512 MB on pages of 2 MB"
check huge "by NUMA node +128 MB on 0, 128 MB on 1, 128 MB on 2, 128 MB on 3"
check huge-nodes "256 MB on pages of 2 MB"
check huge-nodes "by NUMA node +128 MB on 1, 128 MB on 3"
check huge-node "128 MB on pages of 2 MB"
check huge-node "by NUMA node +128 MB on 2"
check mask "affinity mask: 4 of 16 processors \(4-7\)"
check mask "by NUMA node +128 MB on 1"
check giant-few "2048 MB on pages of 1 GB"
check huge-before-giant "2048 MB on pages of 2 MB"
check huge-before-giant "by NUMA node +512 MB on 0, 512 MB on 1, 512 MB on 2, 512 MB on 3"
for processor in $(seq 0 15); do
    check search "thread search $processor: $processor\$"
done
check search "^bestmove "

# The four threads of each node own equally much, and memory that belongs to no thread lies on one of the nodes: none has
# less than two thirds of the mean.
part search | awk '$1 == "pages" { node[$2] = $3; sum += $3; count++ }
    END {
        bad = count != 4
        for (name in node) {
            printf "        pages of threads on %s: %d\n", name, node[name]
            if (node[name] < sum / count * 2 / 3) bad = 1
        }
        exit bad
    }' || { echo "FAILED  memory of threads is not where they are" >&2; failed=1; }
exit $failed
