/** Fakes of what a node has: its mount table, its block devices, its journal, and attachers over them. */
@NullMarked
package dev.fairlead.testkit.fake.node;

import org.jspecify.annotations.NullMarked;
