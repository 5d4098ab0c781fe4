#!/bin/sh
# Creates and updates Temporal's two databases. Safe to repeat; with a newer admin-tools image it is the schema upgrade.
# Needs SQL_PLUGIN, SQL_HOST, SQL_PORT, SQL_USER and SQL_PASSWORD, which temporal-sql-tool reads itself.
set -eu

versions=${SCHEMA_DIR:-/etc/temporal/schema/postgresql/v12}

for pair in temporal:temporal temporal_visibility:visibility; do
  database=${pair%%:*}
  temporal-sql-tool --db "$database" create
  temporal-sql-tool --db "$database" setup-schema -v 0.0
  temporal-sql-tool --db "$database" update-schema -d "$versions/${pair##*:}/versioned"
done
