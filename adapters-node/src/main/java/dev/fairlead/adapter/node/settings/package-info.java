/** The settings of a node. */
@NullMarked
package dev.fairlead.adapter.node.settings;

import org.jspecify.annotations.NullMarked;
