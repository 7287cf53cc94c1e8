/** Copies, measures and deletes trees of files, whatever tenants have put there. */
@NullMarked
package dev.fairlead.adapter.local.directory.tree;

import org.jspecify.annotations.NullMarked;
