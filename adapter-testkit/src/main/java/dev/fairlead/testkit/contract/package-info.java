/** What adapters are held to; each port has its contract below. */
@NullMarked
package dev.fairlead.testkit.contract;

import org.jspecify.annotations.NullMarked;
