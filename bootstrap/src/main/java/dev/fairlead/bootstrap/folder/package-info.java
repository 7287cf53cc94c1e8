/** The connections folder, watched as it changes. */
@NullMarked
package dev.fairlead.bootstrap.folder;

import org.jspecify.annotations.NullMarked;
