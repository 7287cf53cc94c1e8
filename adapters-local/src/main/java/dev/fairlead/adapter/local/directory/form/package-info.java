/** Says what the folder of a volume holds and how its size is kept. */
@NullMarked
package dev.fairlead.adapter.local.directory.form;

import org.jspecify.annotations.NullMarked;
