# Shared by the scripts at the top of the project, which set $home to the project's directory and read this file.

called_from=$(pwd)

# $1 the help text, then the arguments of the script.
answer_help() {
    usage=$home/$1
    shift
    for argument in "$@"; do
        case $argument in
            -h | --help) exec cat "$usage" ;;
        esac
    done
}

# $1 the name of the script. Sets $java.
find_java() {
    java=java
    if [ -n "${JAVA_HOME:-}" ]; then
        java=$JAVA_HOME/bin/java
    fi
    if ! command -v "$java" > /dev/null; then
        echo "$1: there is no $java; install a JDK 17 or later, or set JAVA_HOME" >&2
        exit 3
    fi
}

# Returns whether a source is newer than $1. A source that was removed leaves a newer directory behind.
is_outdated() {
    [ ! -f "$1" ] || [ -n "$(find pom.xml ./*/pom.xml ./*/*/pom.xml ./*/src/main ./*/*/src/main -newer "$1" | head -n 1)" ]
}

# $1 the name of the script, $2 a module, $3 the jar that its build makes, relative to the module.
build_jar() {
    cd "$home"
    if is_outdated "$2/$3"; then
        echo "$1: building $2/$3" >&2
        ./mvnw -q -B -ntp -pl "$2" -am package -Dmaven.test.skip=true >&2 || exit 3
    fi
    jar=$home/$2/$3
    cd "$called_from"
}
