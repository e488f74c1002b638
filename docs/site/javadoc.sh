#!/bin/sh
# Makes the Javadoc of the published modules, in the directory $1. Not of Kotlin, which has none, and not of the finder of
# servers for tests, whose optional Testcontainers are on no module path.
set -eu
cd "$(dirname "$0")/../.."
modules=$(sed -n 's:.*<artifactId>\(mongo-locks-.*\)</artifactId><version>.*:org.mongolocks\:\1:p' integrations/bom/pom.xml | paste -s -d , -)
./mvnw -q -B -ntp -pl ".,$modules" org.apache.maven.plugins:maven-javadoc-plugin:aggregate \
    -Dmaven.javadoc.skippedModules=mongo-locks-kotlin,mongo-locks-server-testkit >&2
rm -rf "$1"
mkdir -p "$1"
cp -R target/reports/apidocs/. "$1"
