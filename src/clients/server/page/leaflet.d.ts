/* What the page uses of Leaflet (Debian's libjs-leaflet has no types): only that it is there. */
export const map: any, CRS: any, Transformation: any, Layer: any, DomUtil: any, circleMarker: any, layerGroup: any, polyline: any, rectangle: any;
