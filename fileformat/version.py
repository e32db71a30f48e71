"""The marks by which a file is known to be ours, and of the version that this code reads (schema.sql)."""

#: PRAGMA application_id of every rtckb file: the letters RTCK.
APPLICATION_ID = 1381253963

#: PRAGMA user_version that this code reads and writes; schema.sql tells the history.
SCHEMA_VERSION = 3
