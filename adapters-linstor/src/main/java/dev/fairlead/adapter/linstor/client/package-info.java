/** Asks the controllers of a LINSTOR over its REST API. */
@NullMarked
package dev.fairlead.adapter.linstor.client;

import org.jspecify.annotations.NullMarked;
