/** Reads and changes datasets by the API of a TrueNAS box, in the words of ZFS. */
@NullMarked
package dev.fairlead.adapter.freenas.store.dataset;

import org.jspecify.annotations.NullMarked;
