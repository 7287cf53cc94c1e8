/** Tests of the store of folders, on real folders. */
@NullMarked
package dev.fairlead.adapter.local.directory;

import org.jspecify.annotations.NullMarked;
