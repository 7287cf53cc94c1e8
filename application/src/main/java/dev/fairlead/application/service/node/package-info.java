/** The calls on a node: stage, mount, measure, grow, and their opposites. */
@NullMarked
package dev.fairlead.application.service.node;

import org.jspecify.annotations.NullMarked;
