/** What a connection file may say of folders. */
@NullMarked
package dev.fairlead.adapter.local.directory.settings;

import org.jspecify.annotations.NullMarked;
