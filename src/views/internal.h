// Shared by the files of views/.
#ifndef ADZE_VIEWS_INTERNAL_H
#define ADZE_VIEWS_INTERNAL_H

#include "views/views.h"

/// The row of VIEW_PAD.
ViewStep view_pad_get(const ViewContext *v, Node *view, Path *path, Node *shift);

#endif
