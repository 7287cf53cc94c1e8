/** Keeps the state of a simulated LINSTOR on disk. */
@NullMarked
package dev.fairlead.linstor.state;

import org.jspecify.annotations.NullMarked;
