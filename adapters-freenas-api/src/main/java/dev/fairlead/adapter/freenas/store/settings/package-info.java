/** Holds the blocks of a connection's file that say how volumes of a TrueNAS are kept. */
@NullMarked
package dev.fairlead.adapter.freenas.store.settings;

import org.jspecify.annotations.NullMarked;
