/* Draw the charts in the reader's light or dark; without this script their pictures stay. */
(function () {
  "use strict";
  var told = JSON.parse(document.getElementById("charts").textContent);
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  /* ast: expressions are interpreted, never compiled, so that the page's policy need not allow it. No loader: nothing is fetched. */
  var none = { load: function () { return Promise.reject(new Error("nothing is fetched")); }, sanitize: function () { return Promise.reject(new Error("no address")); } };
  function draw(at) {
    var place = document.getElementById("chart-" + at);
    var spec = Object.assign({}, told.charts[at], { width: "container", config: dark.matches ? told.configs.dark : told.configs.light });
    /* A brush is drawn as an image, which an SVG would have to name for people who listen: such a chart is a canvas. */
    var brush = JSON.stringify(spec).indexOf('"type":"interval"') >= 0;
    place.hidden = false;
    return window.vegaEmbed(place, spec, { actions: false, renderer: brush ? "canvas" : "svg", ast: true, loader: none, tooltip: { theme: "custom" } }).then(
      function () { place.parentElement.classList.add("drawn"); },
      function () { place.hidden = true; }
    );
  }
  function all() { told.charts.forEach(function (_, at) { draw(at); }); }
  dark.addEventListener("change", all);
  all();
})();
