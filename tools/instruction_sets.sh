# For the scripts beside it, which read it: the compiler's options for the levels of the x86-64 instruction set, and the node count
# that must be the same on all of them.

# The compiler's options for a level or a processor, one a line. Compilers know four levels; the fifth is what has come with
# AVX-512 in Ice Lake and Zen 4, and `x86-64-avx2` is the third for processors of AMD before Zen 3 (as in src/util/cpu.rs).
flags_of() {
    case $1 in
    x86-64-avx2)
        echo -Ctarget-cpu=x86-64-v3
        echo -Ctarget-feature=+sse4a
        ;;
    x86-64-avx512icl)
        echo -Ctarget-cpu=x86-64-v4
        echo -Ctarget-feature=+avx512ifma,+avx512vbmi,+avx512vbmi2,+avx512vnni,+avx512bitalg,+avx512vpopcntdq,+gfni,+vaes,+vpclmulqdq
        ;;
    *) echo "-Ctarget-cpu=$1" ;;
    esac
}

# The node count in the last line of a bench, which is read from the standard input.
node_count() { tail -n 1 | grep -oE '^[0-9]+ nodes' | grep -oE '^[0-9]+'; }

# The features that code for a level or a processor may use.
features() { flags_of "$1" | xargs rustc --print cfg | grep '^target_feature=' | sort; }

# True if this machine has every feature that code for this level or processor may use. Of a processor that it does not know, or
# of another architecture, the compiler only warns.
runs_here() {
    case $1:$(uname -m) in
    x86-64*:x86_64 | x86-64*:amd64) ;;
    x86-64*) return 1 ;;
    esac
    case $1 in
    native | x86-64-avx2 | x86-64-avx512icl) ;;
    *) rustc --print target-cpus | grep -E "^ *$1( |$)" >/dev/null || return 1 ;;
    esac
    [ -z "$(comm -23 <(features "$1") <(features native))" ]
}
