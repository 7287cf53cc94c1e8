/** TrueNAS: volumes and exports of a box, by its API. */
@NullMarked
package dev.fairlead.adapter.freenas;

import org.jspecify.annotations.NullMarked;
