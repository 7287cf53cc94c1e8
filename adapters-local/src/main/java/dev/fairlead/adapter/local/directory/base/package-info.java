/** The base folder of a connection: whose it is, what is below it, and how its folders survive a power loss. */
@NullMarked
package dev.fairlead.adapter.local.directory.base;

import org.jspecify.annotations.NullMarked;
