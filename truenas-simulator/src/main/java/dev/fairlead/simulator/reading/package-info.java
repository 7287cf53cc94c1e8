/** Says what of ZFS the queries of each release read before they filter it. */
@NullMarked
package dev.fairlead.simulator.reading;

import org.jspecify.annotations.NullMarked;
