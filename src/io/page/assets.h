/* The parts of every page, as bytes: made of web/ when carom is built. All NULL where that could not be done. */
#ifndef CAROM_IO_PAGE_ASSETS_H
#define CAROM_IO_PAGE_ASSETS_H

#include <stddef.h>

typedef struct page_asset {
    const unsigned char *bytes;
    size_t count;
} page_asset;

extern const page_asset page_asset_template, page_asset_style, page_asset_script, page_asset_script_space;

#endif
