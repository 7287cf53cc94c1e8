/** The configuration tree, its problems, and secrets. */
@NullMarked
package dev.fairlead.application.config;

import org.jspecify.annotations.NullMarked;
