package dev.fairlead.adapter.local.pool;

import java.nio.file.Path;

/**
 * Holds what a connection's file says of one pool.
 *
 * @param overcommit how many bytes are promised for each byte that there is
 * @param sharesSystem whether it may lie on the operating system's file system
 */
record PoolSettings(String name, Path path, PoolKind kind, Reserve reserve, double overcommit, boolean sharesSystem) {}
