# Finds Java and builds a module, for the scripts that start its program. They set
#   home     the directory of the project
#   module   the module of the program, below it
#   program  the file that a build of the module makes last, in target/
# It sets java, and builds the module if a source is newer than that file.

script=$(basename "$0")
called_from=$(pwd)

java=java
if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
fi
if ! command -v "$java" > /dev/null; then
    echo "$script: there is no $java; install a JDK 17 or later, or set JAVA_HOME" >&2
    exit 3
fi

# Returns whether a source is newer than $1. A source that was removed leaves a newer directory behind.
is_outdated() {
    [ ! -f "$1" ] || [ -n "$(find pom.xml ./*/pom.xml ./*/*/pom.xml ./*/src/main ./*/*/src/main -newer "$1" | head -n 1)" ]
}

cd "$home"
if is_outdated "$module/target/$program"; then
    echo "$script: building $module/target/$program; the first time it takes some minutes" >&2
    ./mvnw -q -B -ntp -pl "$module" -am package -Dmaven.test.skip=true >&2 || exit 3
fi
cd "$called_from"
