/** Signs of life by which nodes and processes that share a folder know each other. */
@NullMarked
package dev.fairlead.adapter.local.directory.sign;

import org.jspecify.annotations.NullMarked;
