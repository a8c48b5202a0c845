#!/usr/bin/env bash
# The licences of all that is linked into a program, for the archives of a release:
#
#   tools/notices.sh TARGET PACKAGE...
#
# prints, for each crate that the packages link on this target, its name, version and licence, and the licence texts that its
# source has; last those of Rust's standard library and of the C library that is part of the program. Fails if a crate's source
# or a licence is not there: build before. MINGW_LICENCE names the file with those of mingw-w64's runtime where it is not
# Debian's.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 2 ] || { echo "usage: tools/notices.sh TARGET PACKAGE..." >&2; exit 1; }

target=$1
shift
packages=()
for package in "$@"; do packages+=(--package "$package"); done
sources=${CARGO_HOME:-$HOME/.cargo}/registry/src

rule() { printf '\n%s\n%s\n\n' "$(printf '=%.0s' {1..100})" "$1"; }

# Each text once: most crates have the same Apache licence.
seen=()
text() {
    local sum known
    sum=$(cksum <"$1")
    for known in ${seen[@]+"${seen[@]}"}; do
        if [ "${known%%|*}" = "$sum" ]; then
            echo "(${1##*/}: the same text as ${known#*|})"
            return
        fi
    done
    seen+=("$sum|$2 ${1##*/}")
    printf -- '-- %s\n\n' "${1##*/}"
    cat "$1"
    echo
}

# A page of HTML without its marks.
plain() {
    sed -E -e 's/<[^>]*>//g' -e 's/&(lt|#60);/</g' -e 's/&(gt|#62);/>/g' -e 's/&(quot|#34);/"/g' -e "s/&#(39|x27);/'/g" \
        -e 's/&amp;/\&/g' -e 's/[[:space:]]*$//' "$1" | cat -s
}

echo "This program contains the works below. Its own licence is in the file LICENSE."
# Crates of the workspace have a path in brackets behind their version.
cargo tree --locked --edges normal,no-proc-macro --target "$target" "${packages[@]}" --prefix none --format '{p}|{l}|{r}' |
    sed 's, (\*)$,,' | grep -v -e '^$' -e '^[^|]* (' | LC_ALL=C sort -u | {
    while IFS='|' read -r crate licence repository; do
        name=${crate%% *}
        version=${crate##* v}
        folder=$(find "$sources" -mindepth 2 -maxdepth 2 -name "$name-$version" | head -n 1)
        [ -n "$folder" ] || { echo "no source of $name $version in $sources" >&2; exit 1; }
        rule "$name $version, $licence${repository:+, $repository}"
        while read -r file; do
            text "$file" "$name"
        done < <(find "$folder" -maxdepth 1 -type f \( -iname 'licen[sc]e*' -o -iname 'copying*' -o -iname 'notice*' -o -iname 'unlicense*' \) | LC_ALL=C sort)
    done
    rule "The standard library of Rust, MIT OR Apache-2.0, https://github.com/rust-lang/rust"
    documents=$(rustc --print sysroot)/share/doc/rust
    for file in "$documents/COPYRIGHT-library.html" "$documents/licenses/Unicode-3.0.txt" "$documents/licenses/MIT.txt"; do
        [ -f "$file" ] || { echo "no $file" >&2; exit 1; }
    done
    plain "$documents/COPYRIGHT-library.html"
    # That page names this licence, of the tables of characters, and has not its text.
    text "$documents/licenses/Unicode-3.0.txt" rust
    if [[ $target == *-musl ]]; then
        rule "musl, MIT, https://musl.libc.org"
        echo "Copyright 2005-2020 Rich Felker, et al."
        echo
        text "$documents/licenses/MIT.txt" rust
    fi
    if [[ $target == *-windows-gnu ]]; then
        licences=${MINGW_LICENCE:-/usr/share/doc/mingw-w64-common/copyright}
        [ -f "$licences" ] || { echo "no $licences; MINGW_LICENCE may name another file" >&2; exit 1; }
        rule "The runtime of mingw-w64, ZPL-2.1 and others, https://www.mingw-w64.org"
        cat "$licences"
    fi
}
