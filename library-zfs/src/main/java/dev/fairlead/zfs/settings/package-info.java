/**
 * The settings of a connection that say where its datasets lie and what they are to be like, in democratic-csi's keys.
 */
@NullMarked
package dev.fairlead.zfs.settings;

import org.jspecify.annotations.NullMarked;
