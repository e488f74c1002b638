# Read by the scripts at the top of the project, which set
#   home      the directory of the project
#   usage     the help text, below it; it lists the options, one at the start of each line
#   artifact  the artifact of the program
#   main      the main class
#   checks_arguments=false  if the program has options that its help text does not list
#   services  what files of --classpath may register, with colons between, if more than strategies
# It answers --help, checks the arguments and takes --classpath out of them, builds the program if a source is newer,
# and starts it.

script=$(basename "$0")
called_from=$(pwd)
usage=$home/$usage
checks_arguments=${checks_arguments:-true}
services=${services:-META-INF/services/org.mongolocks.spi.LockStrategy}
classpath=

refuse() {
    echo "$script: $1" >&2
    exit 2
}

# $1 the value of --classpath, whose files are relative to the caller's directory.
add_to_classpath() {
    [ -n "$1" ] || refuse "--classpath names no file (see --help)"
    set -f
    IFS=:
    for file in $1; do
        case $file in
            /*) ;;
            *) file=$called_from/$file ;;
        esac
        [ -r "$file" ] || refuse "--classpath: there is no file '$file' (see --help)"
        classpath=$classpath:$file
    done
    unset IFS
    set +f
}

# A jar has the names of its files uncompressed. Java ignores a file that is no jar, and a jar without a service.
require_services() {
    set -f
    IFS=:
    for file in ${classpath#:}; do
        for service in $services; do
            if [ -f "$file/$service" ] || { [ -f "$file" ] && grep -q -a -F -e "$service" "$file"; }; then
                unset IFS
                set +f
                return
            fi
        done
    done
    refuse "--classpath: no jar or directory there registers anything in $(echo "$services" | sed 's/:/ or /') (see --help)"
}

require_whole_number() {
    case $1 in
        '' | *[!0-9]*) refuse "$option must be a whole number, was '$1' (see --help)" ;;
    esac
}

# Refuses what the help text does not list, and a value named N that is no whole number, before anything is built; other
# values are for the program to check. An option with a value has its name there, as in "  --uri URI".
check_argument() {
    if [ -n "$option" ]; then
        if grep -q -E -e "^  $option N( |$)" "$usage"; then
            require_whole_number "$1"
        fi
        option=
        return
    fi
    case $1 in
        --*) ;;
        *) refuse "Unknown argument: '$1' (see --help)" ;;
    esac
    if ! grep -q -E -e "^  (-h, )?${1%%=*}( |$)" "$usage"; then
        refuse "Unknown option: '$1' (see --help)"
    elif grep -q -E -e "^  $1 [A-Za-z]" "$usage"; then
        option=$1
    fi
}

for argument in "$@"; do
    case $argument in
        -h | --help) exec cat "$usage" ;;
    esac
done

# Takes each argument from the front, and puts all but --classpath back at the end.
option=
for argument in "$@"; do
    shift
    if [ "$option" = --classpath ]; then
        option=
        add_to_classpath "$argument"
        continue
    fi
    case $argument in
        --classpath) option=--classpath ;;
        --classpath=*) add_to_classpath "${argument#*=}" ;;
        *)
            [ "$checks_arguments" = false ] || check_argument "$argument"
            set -- "$@" "$argument"
            ;;
    esac
done
[ -z "$option" ] || refuse "$option has no value (see --help)"
[ -z "$classpath" ] || require_services

. "$home/.mvn/module.sh"

out_is_terminal=false
err_is_terminal=false
if [ -t 1 ]; then out_is_terminal=true; fi
if [ -t 2 ]; then err_is_terminal=true; fi

# Child processes and forks of JMH inherit the class path.
exec "$java" \
    -Dmongolocks.home="$home" \
    -Dmongolocks.classpath="${classpath#:}" \
    -Dmongolocks.out.terminal="$out_is_terminal" \
    -Dmongolocks.err.terminal="$err_is_terminal" \
    -cp "$classes$classpath" "$main" "$@"
