/** The flags of LINSTOR's affinity controller, which {@code fairlead affinity} takes too. */
@NullMarked
package dev.fairlead.bootstrap.cli.former;

import org.jspecify.annotations.NullMarked;
