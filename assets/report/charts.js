'use strict';
// Draws the charts of a report page from its data (`ChartData` in cli/report/chart-data.ts). Runs in the browser as it
// stands. Tooltips are made of text nodes: no name or reason is ever read as markup.
(() => {
  const data = JSON.parse(document.getElementById('report-data').textContent);
  /** More shapes than this are drawn on a canvas: each would be an element of the page. */
  const shapesInSvg = 3000;
  const laneHeight = 34;
  const axisHeight = 26;

  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const colourOf = (kind) => css(`--c-${kind}`);
  const stateColours = {
    closed: '--c-closed',
    running: '--c-closed',
    completed: '--c-closed',
    suspect: '--c-half',
    halfOpen: '--c-half',
    holding: '--c-half',
    open: '--c-held',
    halted: '--c-halted',
    aborting: '--c-halted',
    aborted: '--c-halted',
    failed: '--c-halted',
    cancelled: '--c-halted',
    isolated: '--c-isolated',
    paused: '--c-isolated',
  };
  const alertSigns = {
    trip: { symbol: 'triangle', symbolRotate: 180, colour: '--c-halted', text: 'circuit tripped' },
    fuseOpen: { symbol: 'diamond', symbolRotate: 0, colour: '--c-halted', text: 'fuse open, batch halted' },
    blocked: { symbol: 'diamond', symbolRotate: 0, colour: '--c-halted', text: 'needs a person' },
    recovered: { symbol: 'triangle', symbolRotate: 0, colour: '--good', text: 'recovered' },
  };

  const at = (ms) => data.startMs + ms;
  const clock = (ms) => new Date(at(ms)).toISOString().slice(0, 19).replace('T', ' ');
  function duration(ms) {
    if (ms < 1000) return `${Math.round(ms)} ms`;
    if (ms < 60000) return `${(ms / 1000).toFixed(1)} s`;
    const min = Math.floor(ms / 60000);
    return min < 60 ? `${min} min ${Math.floor((ms % 60000) / 1000)} s` : `${Math.floor(min / 60)} h ${min % 60} min`;
  }

  function tip(title, lines) {
    const box = document.createElement('div');
    box.className = 'tip';
    box.append(Object.assign(document.createElement('strong'), { textContent: title }));
    for (const line of lines.filter(Boolean)) {
      box.append(Object.assign(document.createElement('div'), { textContent: line }));
    }
    return box;
  }

  function base() {
    return {
      animation: false,
      useUTC: true,
      textStyle: { color: css('--ink'), fontFamily: getComputedStyle(document.body).fontFamily },
      tooltip: {
        confine: true,
        backgroundColor: css('--card'),
        borderColor: css('--line'),
        textStyle: { color: css('--ink'), fontSize: 13 },
      },
    };
  }

  const axisStyle = () => ({
    axisLine: { lineStyle: { color: css('--line') } },
    axisTick: { show: false },
    axisLabel: { color: css('--soft') },
    splitLine: { lineStyle: { color: css('--grid') } },
  });
  const legendStyle = () => ({
    textStyle: { color: css('--ink') },
    inactiveColor: css('--line'),
    icon: 'roundRect',
    itemWidth: 16,
    itemHeight: 10,
  });

  /** A rectangle from `value[1]` to `value[2]` in the row `value[0]`; `place` is its part of the row's height. */
  function bar({ from, to }, styleOf) {
    return (params, api) => {
      const value = (dim) => api.value(dim);
      const [x0, y] = api.coord([value(1), value(0)]);
      const [x1] = api.coord([value(2), value(0)]);
      const rowHeight = api.size([0, 1])[1];
      const shape = echarts.graphic.clipRectByRect(
        {
          x: x0,
          y: y - rowHeight / 2 + rowHeight * from,
          width: Math.max(1, x1 - x0),
          height: Math.max(1, rowHeight * (to - from)),
        },
        params.coordSys,
      );
      return shape && { type: 'rect', shape, style: styleOf(params.dataIndex) };
    };
  }

  /** Tuples of `SpanTuple` (cli/report/chart-data.ts). */
  function spanSeries(kind) {
    const tuples = data.spans[kind];
    return {
      name: kind,
      type: 'custom',
      xAxisIndex: 1,
      yAxisIndex: 1,
      itemStyle: { color: colourOf(kind) },
      encode: { x: [1, 2], y: 0 },
      progressive: 0,
      dimensions: ['row', { name: 'from', type: 'time' }, { name: 'to', type: 'time' }],
      data: tuples.map(([row, from, to]) => [row, at(from), at(to)]),
      renderItem: bar({ from: 0.12, to: 0.88 }, (index) =>
        tuples[index][7] === 'failed'
          ? { fill: colourOf(kind), stroke: colourOf('halted'), lineWidth: 2 }
          : { fill: colourOf(kind) },
      ),
      tooltip: { formatter: ({ dataIndex }) => spanTip(kind, tuples[dataIndex]) },
    };
  }

  function spanTip(kind, [row, from, to, place, attempts, lastAttempt, reason, end]) {
    const episode = data.rows[row];
    return tip(episode.title || episode.id, [
      `${kind}, ${duration(to - from)}${end === 'open' ? ' so far' : end === 'completed' ? '' : `, ${end}`}`,
      place < 0 ? '' : data.places[place],
      attempts > 1 ? `${attempts} attempts; the last began ${duration(Math.max(0, lastAttempt - from))} later` : '',
      reason < 0 ? '' : data.reasons[reason],
      `${clock(from)} – ${clock(to)}`,
    ]);
  }

  const laneAxis = { xAxisIndex: 0, yAxisIndex: 0 };

  function stateSeries() {
    const spans = data.lanes.flatMap((lane, row) => lane.states.map(([from, to, state]) => ({ row, from, to, state })));
    return {
      ...laneAxis,
      id: 'states',
      type: 'custom',
      encode: { x: [1, 2], y: 0 },
      progressive: 0,
      data: spans.map(({ row, from, to }) => [row, at(from), at(to)]),
      renderItem: bar({ from: 0.16, to: 0.56 }, (index) => ({
        fill: css(stateColours[spans[index].state] || '--c-audio'),
      })),
      tooltip: {
        formatter: ({ dataIndex }) => {
          const { row, from, to, state } = spans[dataIndex];
          return tip(data.lanes[row].name, [`${state}, ${duration(to - from)}`, `${clock(from)} – ${clock(to)}`]);
        },
      },
    };
  }

  function callSeries() {
    const calls = data.lanes.flatMap((lane, row) => lane.calls.map(([from, to, kind]) => ({ row, from, to, kind })));
    return {
      ...laneAxis,
      id: 'calls',
      type: 'custom',
      silent: true,
      encode: { x: [1, 2], y: 0 },
      progressive: 0,
      data: calls.map(({ row, from, to }) => [row, at(from), at(to)]),
      renderItem: bar({ from: 0.62, to: 0.86 }, (index) => ({ fill: colourOf(calls[index].kind), opacity: 0.75 })),
    };
  }

  function signSeries(id, { points, offset, style }) {
    return {
      ...laneAxis,
      id,
      type: 'scatter',
      z: 5,
      progressive: 0,
      symbolOffset: [0, offset],
      data: points.map(({ row, ms, ...point }) => ({ value: [at(ms), row], ...style(point) })),
      tooltip: {
        formatter: ({ dataIndex }) => {
          const { row, ms, text, reason } = points[dataIndex];
          return tip(data.lanes[row].name, [text, reason, clock(ms)]);
        },
      },
    };
  }

  function probeSeries() {
    const probes = data.lanes.flatMap((lane, row) =>
      lane.probes.map(([ms, ok, reason]) => ({ row, ms, ok, reason, text: ok ? 'probe answered' : 'probe failed' })),
    );
    const cross = 'path://M2,0L5,3L8,0L10,2L7,5L10,8L8,10L5,7L2,10L0,8L3,5L0,2Z';
    // In the place of calls: of an endpoint that is away there are none.
    const style = ({ ok }) => ({
      symbol: ok ? 'circle' : cross,
      symbolSize: ok ? 9 : 7,
      itemStyle: { color: css(ok ? '--good' : '--ink'), opacity: ok ? 1 : 0.7 },
    });
    return signSeries('probes', { points: probes, offset: 8, style });
  }

  function alertSeries() {
    const alerts = data.lanes.flatMap((lane, row) =>
      lane.alerts.map(([ms, kind, reason]) => ({ row, ms, kind, reason, text: alertSigns[kind].text })),
    );
    const style = ({ kind }) => ({
      symbol: alertSigns[kind].symbol,
      symbolRotate: alertSigns[kind].symbolRotate,
      symbolSize: 13,
      itemStyle: { color: css(alertSigns[kind].colour), borderColor: css('--card'), borderWidth: 1.5 },
    });
    return signSeries('alerts', { points: alerts, offset: -5, style });
  }

  const rowsHeight = Math.min(620, Math.max(90, data.rows.length * 20));
  /** Names left out between two that are shown, where so many rows are in view. */
  const namesSkipped = (rowsInView) => Math.max(0, Math.ceil((rowsInView * 17) / rowsHeight) - 1);

  function timeline() {
    const lanesHeight = laneHeight * data.lanes.length;
    const rowsTop = 44 + lanesHeight + axisHeight + 12;
    const time = (gridIndex) => ({
      ...axisStyle(),
      type: 'time',
      gridIndex,
      min: data.startMs,
      max: data.startMs + Math.max(1, data.lengthMs),
      axisLabel: { color: css('--soft'), hideOverlap: true },
    });
    const rows = (gridIndex, names) => ({
      ...axisStyle(),
      type: 'category',
      gridIndex,
      inverse: true,
      data: names,
      splitLine: { show: false },
      axisLabel: {
        color: css('--soft'),
        width: 190,
        overflow: 'truncate',
        interval: gridIndex === 0 ? 0 : namesSkipped(names.length),
      },
    });
    const slider = {
      borderColor: css('--line'),
      textStyle: { color: css('--soft') },
      brushSelect: false,
      showDataShadow: false,
    };
    return {
      height: rowsTop + rowsHeight + axisHeight + 44,
      option: {
        ...base(),
        legend: { ...legendStyle(), top: 0, left: 0, data: data.kinds.filter((kind) => data.spans[kind].length > 0) },
        grid: [
          { left: 205, right: 44, top: 44, height: lanesHeight },
          { left: 205, right: 44, top: rowsTop, height: rowsHeight },
        ],
        xAxis: [time(0), time(1)],
        yAxis: [
          rows(
            0,
            data.lanes.map(({ name }) => name),
          ),
          rows(
            1,
            data.rows.map(({ id, title }) => title || id),
          ),
        ],
        dataZoom: [
          { ...slider, type: 'slider', xAxisIndex: [0, 1], bottom: 6, height: 22, filterMode: 'weakFilter' },
          {
            type: 'inside',
            xAxisIndex: [0, 1],
            filterMode: 'weakFilter',
            zoomOnMouseWheel: 'shift',
            moveOnMouseMove: true,
          },
          {
            ...slider,
            type: 'slider',
            yAxisIndex: 1,
            right: 6,
            width: 20,
            top: rowsTop,
            height: rowsHeight,
            showDetail: false,
          },
        ],
        series: [stateSeries(), callSeries(), probeSeries(), alertSeries(), ...data.kinds.map(spanSeries)],
      },
    };
  }

  /** In the order in which they are stacked. */
  const outcomeColours = {
    done: '--c-summarize',
    executed: '--c-summarize',
    reused: '--c-diarize',
    degraded: '--c-gi',
    failed: '--c-held',
    skipped: '--c-publish',
    'in work': '--c-transcribe',
    remaining: '--c-queued',
  };

  /** Parts of a whole, one row each; `parts` by name, with a figure for every row. */
  function stacked(rows, parts, format) {
    return {
      ...base(),
      tooltip: {
        ...base().tooltip,
        formatter: ({ seriesName, name, value }) => tip(`${name}: ${seriesName}`, [format(value)]),
      },
      legend: { ...legendStyle(), top: 0, left: 0 },
      grid: { left: 100, right: 24, top: 40, bottom: 28 },
      xAxis: {
        ...axisStyle(),
        type: 'value',
        axisLabel: { color: css('--soft'), formatter: format, hideOverlap: true },
      },
      yAxis: { ...axisStyle(), type: 'category', inverse: true, data: rows },
      series: parts.map(({ name, colour, values }) => ({
        name,
        type: 'bar',
        stack: 'all',
        barMaxWidth: 26,
        itemStyle: { color: colour, borderColor: css('--card'), borderWidth: 1 },
        data: values,
      })),
    };
  }

  function outcomes() {
    const values = (name) => [
      data.outcomes.find(({ label }) => label === name)?.count ?? 0,
      ...data.stages.map(({ counts }) => counts[data.stageOutcomes.indexOf(name)] ?? 0),
    ];
    const parts = Object.keys(outcomeColours)
      .map((name) => ({ name, colour: css(outcomeColours[name]), values: values(name) }))
      .filter((part) => part.values.some((value) => value > 0));
    return { option: stacked(['episodes', ...data.stages.map(({ stage }) => stage)], parts, String) };
  }

  function times() {
    const parts = data.kinds
      .filter((kind) => data.times[kind] > 0)
      .map((kind) => ({ name: kind, colour: colourOf(kind), values: [data.times[kind]] }));
    return { height: 130, option: stacked(['all episodes'], parts, duration) };
  }

  function busy() {
    const inPercent = (value) => `${Math.round(value)} %`;
    const names = data.busy.map(({ endpointId }) => endpointId);
    const option = stacked(
      names,
      [
        { name: 'busy', colour: colourOf('transcribe'), values: data.busy.map(({ share }) => share * 100) },
        { name: 'away', colour: colourOf('held'), values: data.busy.map(({ out }) => out * 100) },
      ],
      inPercent,
    );
    option.grid.left = 205;
    option.xAxis.max = 100;
    // Beside each other: an endpoint can be away and still have a call in flight.
    for (const series of option.series) delete series.stack;
    return { height: 70 + 46 * names.length, option };
  }

  const charts = { 'timeline-chart': timeline, 'outcome-chart': outcomes, 'time-chart': times, 'busy-chart': busy };
  const shapes = data.kinds.reduce((sum, kind) => sum + data.spans[kind].length, 0);
  const drawn = new Map();

  function draw() {
    for (const chart of drawn.values()) chart.dispose();
    drawn.clear();
    for (const [id, make] of Object.entries(charts)) {
      const element = document.getElementById(id);
      if (element === null) continue;
      const { option, height } = make();
      if (height !== undefined) element.style.height = `${height}px`;
      const renderer = id === 'timeline-chart' && shapes > shapesInSvg ? 'canvas' : 'svg';
      const chart = echarts.init(element, null, { renderer });
      chart.setOption(option);
      if (id === 'timeline-chart') chart.on('datazoom', () => nameRows(chart));
      drawn.set(id, chart);
    }
  }

  function nameRows(chart) {
    const { start, end } = chart.getOption().dataZoom.find(({ yAxisIndex }) => yAxisIndex !== undefined);
    const interval = namesSkipped(((end - start) / 100) * data.rows.length);
    if (interval !== chart.getOption().yAxis[1].axisLabel.interval) {
      chart.setOption({ yAxis: [{}, { axisLabel: { interval } }] });
    }
  }

  draw();
  addEventListener('resize', () => drawn.forEach((chart) => chart.resize()));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
})();
