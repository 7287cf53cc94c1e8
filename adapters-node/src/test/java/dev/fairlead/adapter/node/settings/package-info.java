/** Tests of a node's settings. */
@NullMarked
package dev.fairlead.adapter.node.settings;

import org.jspecify.annotations.NullMarked;
