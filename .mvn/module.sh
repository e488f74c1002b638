# Finds Java and the classes of a program, for the scripts that start it. They set
#   home      the directory of the project
#   artifact  the artifact of the program
#   modules   the modules that are built together; those of all programs, unless it is set
# It sets java and classes, the class path of the program, which it builds if a source is newer.
#
# Each build has a directory of its own in target/programs. A complete one is named there by a file that its last step
# puts in place: a build that failed or was interrupted is not used, and two at once do not disturb each other. The
# file is as old as the start of the build, so that a source that changes meanwhile is newer.

script=$(basename "$0")
called_from=$(pwd)
modules=${modules:-benchmarks,testing/study,testing/doctor}
programs=$home/target/programs
complete=$programs/$(echo "$modules" | tr '/,' '.+')

java=java
if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
fi
if ! command -v "$java" > /dev/null; then
    echo "$script: there is no $java; install a JDK 17 or later, or set JAVA_HOME" >&2
    exit 3
fi

# Returns whether there is a complete build and no source is newer. A source that was removed leaves a newer directory
# behind.
is_current() {
    [ -f "$complete" ] &&
        [ -z "$(find pom.xml ./*/pom.xml ./*/*/pom.xml ./*/src/main ./*/*/src/main -newer "$complete" | head -n 1)" ]
}

# Sets classes. Fails if a file of the class path is missing, as after the local repository was emptied.
find_classes() {
    built=$programs/$(cat "$complete")/$artifact
    [ -f "$built/classpath.txt" ] || return 1
    classes=$built/classes:$(cat "$built/classpath.txt")
    missing=
    set -f
    IFS=:
    for file in $classes; do
        [ -e "$file" ] || missing=$file
    done
    unset IFS
    set +f
    [ -z "$missing" ]
}

# Prints $1 with the time since the start of the build.
say() {
    now=$(date +%s)
    echo "$script: $((now - started)) s: $1" >&2
}

# Reads the output of Maven, and prints each module when its turn comes and how many files were downloaded.
follow_build() {
    downloads=0
    said=$started
    while IFS= read -r line; do
        printf '%s\n' "$line"
        case $line in
            '[INFO] Building '*']')
                say "$(echo "$line" | sed 's|^\[INFO\] Building \(.*[^ ]\)  *[^ ][^ ]*  *\[\(.*\)/\(.*\)\]$|\1 (\2 of \3)|')"
                ;;
            'Downloaded from '* | '[INFO] Downloaded from '*)
                downloads=$((downloads + 1))
                if [ "$(date +%s)" -ge $((said + 5)) ]; then
                    say "$downloads files downloaded"
                    said=$now
                fi
                ;;
        esac
    done
}

# Deletes builds of a day ago, and no later ones, which a program may be using.
build() {
    started=$(date +%s)
    echo "$script: building the programs, in about a minute, and more if libraries must be downloaded" >&2
    mkdir -p "$programs"
    find "$programs" -mindepth 1 -maxdepth 1 -type d -mtime +0 -exec rm -rf {} +
    directory=$programs/build-$started-$$
    mkdir "$directory"
    basename "$directory" > "$directory/complete"
    {
        ./mvnw -B -Pprograms -Dprograms.directory="$directory" -pl "$modules" -am process-classes 2>&1 &&
            : > "$directory/succeeded"
    } | follow_build > "$directory/build.log"
    if [ ! -f "$directory/succeeded" ]; then
        grep -v -E -e '^(\[INFO\]|\[WARNING\]|Download)' "$directory/build.log" >&2 || true
        say "the build failed; its output is in $directory/build.log"
        exit 3
    fi
    say "built"
    mv "$directory/complete" "$complete"
}

cd "$home"
if ! is_current || ! find_classes; then
    build
    find_classes || {
        echo "$script: the build made no class path for $artifact" >&2
        exit 3
    }
fi
cd "$called_from"
