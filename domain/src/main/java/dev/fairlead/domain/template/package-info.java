/** The templates of democratic-csi's configuration: a Handlebars subset and node topology templates. */
@NullMarked
package dev.fairlead.domain.template;

import org.jspecify.annotations.NullMarked;
