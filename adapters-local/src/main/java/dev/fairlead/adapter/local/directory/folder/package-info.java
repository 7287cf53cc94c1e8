/** Makes and removes one folder, whole or not at all. */
@NullMarked
package dev.fairlead.adapter.local.directory.folder;

import org.jspecify.annotations.NullMarked;
