/** Configuration files: YAML as democratic-csi reads it, the main file, and what it gives to every connection. */
@NullMarked
package dev.fairlead.bootstrap.config;

import org.jspecify.annotations.NullMarked;
